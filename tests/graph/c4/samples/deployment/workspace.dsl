workspace "Deployment" {
    model {
        shop = softwareSystem "Shop" {
            api = container "API" "" "Go"
            db = container "DB" "" "Postgres"
        }
        user = person "User"
        api -> db "Reads" "SQL"
        user -> api "Asks"
        live = deploymentEnvironment "Live" {
            blue = deploymentGroup "Blue"
            region = deploymentNode "Region" "" "AWS" {
                lb = infrastructureNode "Balancer"
                deploymentNode "Machine" "" "Linux" "Host" 2 {
                    run = containerInstance api blue {
                        healthCheck "up" "https://example.org/up"
                        properties {
                            size "xl"
                        }
                    }
                    -> lb "is behind"
                }
                store = containerInstance db blue
                lb -> run "forwards to"
            }
            group "Elsewhere" {
                deploymentNode "Laptop" {
                    softwareSystemInstance shop
                }
            }
            !elements "element.technology==Go" {
                tags "Changed from a deployment"
            }
            !relationships "*->db" {
                tags "Seen from a deployment"
            }
            api -/> db {
                api -> lb "by way of"
            }
        }
        !element region {
            tags "Changed from outside"
        }
        !relationships "relationship.source==api" {
            tags "After the deployment"
        }
    }
}

workspace "Custom elements" {
    model {
        sensor = element "Sensor" "Hardware" "Measures" "Device,Field"
        bare = element "Bare"
        line = element "Production line" {
            description "Where it stands"
            url https://example.org/line
            tags "Field"
            properties {
                "plant.id" "7"
            }
            perspectives {
                Safety "fenced"
            }
            -> sensor "Carries" "bolts" "Fixed"
        }
        group "Cloud" {
            hub = element "Hub" "" "Collects"
        }
        shop = softwareSystem "Shop" {
            api = container "API"
        }
        sensor -> hub "Reports to"
        hub -> api
        shop -> line "Controls" {
            properties {
                protocol "OPC UA"
            }
        }
    }
}

workspace "Relationships" {
    !impliedRelationships true
    model {
        u = person "U" {
            description "Before its relationships"
        }
        a = softwareSystem "A" {
            x = container "X" {
                p = component "P"
                u -> this
                u -> this "again, in other words"
            }
            y = container "Y" {
                q = component "Q"
                p -> this "a component uses a container" "Kafka" "Async, Slow"
                x -> q
            }
        }
        b = softwareSystem "B" {
            u -> this "u uses b" {
                tags "One" "Two,Three"
                url https://example.org/b
                properties {
                    since 2024
                }
                perspectives {
                    Cost "high"
                }
            }
            -> a "" "" "Untold"
            -> b "itself"
        }
        q -> b
        p -> q "one level down" HTTP
    }
}

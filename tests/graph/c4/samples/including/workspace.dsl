workspace "Including" {
    !include constants.dsl
    model {
        !include parts
        shop = softwareSystem "Shop" {
            !include container.txt
        }
        !include parts/deeper/../../last.dsl
        group "From a folder" {
            !include grouped
        }
    }
    !include views
}

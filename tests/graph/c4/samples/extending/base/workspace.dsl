workspace "Base" {
    !identifiers hierarchical
    !const TEAM "core"
    model {
        archetypes {
            app = container {
                technology "Go"
            }
        }
        user = person "User"
        shop = softwareSystem "Shop" "As the base says" "Base" {
            api = app "API" {
                cart = component "Cart"
            }
        }
        user -> shop.api "Asks"
    }
}

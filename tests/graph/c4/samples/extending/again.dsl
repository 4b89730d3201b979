workspace extends "base/old.json" {
    model {
        user = person "User" "Said again" "Again"
        shop = softwareSystem "Shop" {
            api = container "API" "Said again too" "Rust" "Changed" {
                component "Cart" "" "Own"
                component "Till"
            }
        }
        user -> api
    }
}

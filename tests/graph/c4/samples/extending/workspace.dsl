workspace extends base/workspace.dsl {
    name "Extending a DSL"
    model {
        shop2 = softwareSystem "Shop two" {
            web = app "Web" "By ${TEAM}"
            -> shop.api.cart "fills"
        }
        !element shop {
            description "As this one says"
            tags "Extended"
            db = container "DB"
            api -> db "reads"
        }
        !element shop.api.cart {
            properties {
                path "src/cart"
            }
        }
        user -> shop2.web "browses"
    }
}

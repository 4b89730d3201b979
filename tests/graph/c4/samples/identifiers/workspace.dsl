workspace "Identifiers" {
    !identifiers hierarchical
    model {
        User = person "User"
        shop = softwareSystem "Shop" {
            api = container "API" {
                pay = component "Pay"
                cart = component "Cart" {
                    -> pay "the nearest"
                    -> SHOP.API.PAY "the whole path, in any case"
                }
                component "Nameless" {
                    this -> cart "from one without an identifier"
                }
                user -> this "asks"
            }
            inside = group "Inside" {
                jobs = container "Jobs" {
                    pay = component "Pay" {
                        -> api.pay "the other of its name"
                    }
                }
            }
            db_1-x = container "DB"
            api.cart -> db_1-x "keeps"
        }
        other = softwareSystem "Other" {
            api = container "API" {
                pay = component "Pay"
                pay -> shop.api.pay "across systems"
            }
        }
        link = user -> other.api.pay "pays"
        shop.jobs.pay -> shop.db_1-x
        !element shop.api {
            tags "Found by its path"
            late = component "Late"
            late -> pay "added later"
        }
        !element "Container://Shop.Jobs" {
            url https://example.org/jobs
        }
        !relationship link {
            tags "Found by its identifier"
        }
        !relationship "Relationship://Component://Shop.Jobs.Pay -> Container://Shop.DB" {
            tags "Found by its canonical name"
        }
    }
}

workspace "Groups" {
    model {
        properties {
            "structurizr.groupSeparator" "|"
        }
        group "Company" {
            clerk = person "Clerk"
            it = group "IT" {
                ops = group "Operations" {
                    admin = person "Admin"
                    shop = softwareSystem "Shop" {
                        group "Services" {
                            api = container "API" {
                                group "Domain" {
                                    cart = component "Cart"
                                    group "Core" {
                                        price = component "Price" {
                                            description "In three groups"
                                        }
                                    }
                                }
                                till = component "Till" {
                                    group "By a property"
                                }
                                group "Both" {
                                    stock = component "Stock" {
                                        group "And more"
                                    }
                                }
                            }
                        }
                        db = container "DB"
                    }
                }
                thing = element "Thing"
            }
        }
        outside = softwareSystem "Outside"
        group "Joined later" {
            !element outside {
                tags "Grouped"
            }
            clerk -> outside "Asks"
        }
        !elements it {
            tags "IT"
        }
    }
}

workspace "Bookshop" "An online bookshop: small enough to read, large enough to forget." {

    !identifiers hierarchical

    model {
        customer = person "Customer" "Looks for books and buys them."
        staff = person "Shop Staff" "Keeps the range, the prices and the stock in order."

        payments = softwareSystem "Payment Provider" "Authorises and captures card payments." "External"
        mail = softwareSystem "Mail Delivery" "Carries mail to customers." "External"

        bookshop = softwareSystem "Bookshop" "Sells books to customers and ships them." {
            !adrs ../adr

            storefront = container "Storefront" "What customers see in the browser." "TypeScript" {
                basket = component "Basket" "Holds what the customer is about to buy." "TypeScript" {
                    properties {
                        "path" "storefront/src/basket"
                    }
                }
                searchBox = component "SearchBox" "Suggests titles while the customer types." "TypeScript" {
                    properties {
                        "path" "storefront/src/searchbox"
                    }
                }
                properties {
                    "path" "storefront"
                }
            }

            backOffice = container "BackOffice" "Where staff edit the range and look at orders." "TypeScript" {
                properties {
                    "path" "back-office"
                }
            }

            gateway = container "ApiGateway" "The only way in from the internet; guards the API." "Python" {
                properties {
                    "path" "services/gateway"
                }
            }

            api = container "API" "The shop's rules, over HTTP." "Python" {
                checkout = component "Checkout" "Turns a basket into a placed order." "Python" {
                    properties {
                        "path" "services/api/checkout"
                    }
                }
                catalogue = component "Catalogue" "Books, authors and prices." "Python" {
                    properties {
                        "path" "services/api/catalogue"
                    }
                }
                orders = component "OrderProcessor" "Moves an order from placed to shipped." "Python" {
                    properties {
                        "path" "services/api/orders"
                    }
                }
                billing = component "Billing" "Charges, refunds and invoices." "Python" {
                    properties {
                        "path" "services/api/billing"
                    }
                }
                inventory = component "Inventory" "What lies in the warehouse and what is set aside." "Python" {
                    properties {
                        "path" "services/api/inventory"
                    }
                }
                accounts = component "Accounts" "Customers, their addresses and their sessions." "Python" {
                    properties {
                        "path" "services/api/accounts"
                    }
                }
                properties {
                    "path" "services/api"
                }
            }

            worker = container "Worker" "Sends mail and feeds the search index, outside any request." "Python"

            database = container "Database" "Orders, stock and accounts." "PostgreSQL"

            searchIndex = container "Search Index" "Books by word." "OpenSearch" {
                properties {
                    "source" "search/books.json"
                }
            }

            storefront.basket -> gateway "places orders through" "HTTPS"
            storefront.searchBox -> gateway "asks for suggestions through" "HTTPS"
            backOffice -> gateway "manages the shop through" "HTTPS"
            gateway -> api.checkout "forwards to" "HTTP"
            gateway -> api.catalogue "forwards to" "HTTP"
            gateway -> api.accounts "asks who is calling" "HTTP"
            api.checkout -> api.inventory "sets copies aside in"
            api.checkout -> api.billing "authorises the payment with"
            api.checkout -> api.orders "hands placed orders to"
            api.orders -> api.billing "captures the payment with"
            api.orders -> api.inventory "takes copies out of"
            api.catalogue -> searchIndex "searches" "HTTP"
            api.catalogue -> database "reads" "SQL"
            api.orders -> database "writes orders and outgoing events to" "SQL"
            api.inventory -> database "locks stock rows in" "SQL"
            api.accounts -> database "reads and writes" "SQL"
            worker -> database "polls for outgoing events" "SQL"
            worker -> searchIndex "feeds" "HTTP"
        }

        customer -> bookshop.storefront "buys books with"
        staff -> bookshop.backOffice "works with"
        bookshop.api.billing -> payments "charges cards through" "HTTPS"
        bookshop.worker -> mail "hands mail to" "SMTP"
    }

    views {
        systemContext bookshop "Context" {
            include *
            autoLayout
        }
        container bookshop "Containers" {
            include *
            autoLayout
        }
        component bookshop.api "API" {
            include *
            autoLayout
        }
        styles {
            element "External" {
                background #999999
            }
        }
    }
}

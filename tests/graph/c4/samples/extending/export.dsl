workspace extends base/export.json {
    model {
        !element "SoftwareSystem://Shop" {
            tags "Extended"
            jobs = container "Jobs"
            jobs -> shop.api "calls"
        }
        user -> jobs "watches"
        !elements "element.tag==Component" {
            url https://example.org/component
        }
    }
}

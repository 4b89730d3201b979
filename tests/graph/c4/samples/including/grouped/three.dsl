three = softwareSystem "Three"

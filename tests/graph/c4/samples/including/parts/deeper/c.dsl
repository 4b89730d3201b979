two = person "Two" {
    !include ../../body.inc
}

views {
    systemLandscape {
        include *
    }
}

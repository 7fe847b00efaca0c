/// Of the library and the command (https://semver.org).
public let version = "0.1.0"

// The first declarations of TideValue follow.

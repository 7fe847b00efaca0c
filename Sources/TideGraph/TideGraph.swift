// The first declarations of TideGraph follow.

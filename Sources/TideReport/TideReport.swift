// The first declarations of TideReport follow.

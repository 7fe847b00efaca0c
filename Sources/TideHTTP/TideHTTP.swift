// The first declarations of TideHTTP follow.

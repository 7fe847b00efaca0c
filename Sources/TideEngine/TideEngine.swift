// The first declarations of TideEngine follow.

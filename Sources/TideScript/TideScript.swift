// The first declarations of TideScript follow.

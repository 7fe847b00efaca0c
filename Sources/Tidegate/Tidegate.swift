// The first declarations of Tidegate follow.

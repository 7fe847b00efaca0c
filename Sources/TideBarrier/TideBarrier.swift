// The first declarations of TideBarrier follow.

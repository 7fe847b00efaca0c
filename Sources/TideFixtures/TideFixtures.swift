// The first declarations of TideFixtures follow.

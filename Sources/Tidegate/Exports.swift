// What people who import Tidegate need beside it: values, plans, failures, events and ports; runs and their reports; how to
// wait for them, and what to run them on.
@_exported import TideBarrier
@_exported import TideEngine
@_exported import TideGraph
@_exported import TideValue

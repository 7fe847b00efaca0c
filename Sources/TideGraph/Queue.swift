/// A line for nodes: so many at once, so many in a time. Of those that are ready the one declared first goes.
public struct Queue: Sendable {
  public let name: String
  /// How many of its nodes work at once; nil for any number.
  public let width: Int?
  public let rate: Rate?
  /// Each origin has a line of its own, with this width and this rate.
  public let isPerHost: Bool
  public let trip: Trip?
  public let place: Place

  public init(
    name: String, width: Int?, rate: Rate? = nil, isPerHost: Bool = false, trip: Trip? = nil, place: Place = .none
  ) {
    self.name = name
    self.width = width
    self.rate = rate
    self.isPerHost = isPerHost
    self.trip = trip
    self.place = place
  }

  /// A token bucket: every attempt takes a token, and one grows every `interval`.
  public struct Rate: Sendable, Hashable {
    public let interval: Duration
    /// How many tokens lie ready at most; with 1 the attempts are `interval` apart.
    public let burst: Int

    public init(interval: Duration, burst: Int = 1) {
      self.interval = interval
      self.burst = burst
    }
  }

  /// A circuit breaker: after so many failures in a row of one origin nothing is sent to it for a while; then one attempt
  /// tries whether it is back.
  public struct Trip: Sendable, Hashable {
    public let after: Int
    public let rest: Duration

    public init(after: Int, rest: Duration) {
      self.after = after
      self.rest = rest
    }
  }
}

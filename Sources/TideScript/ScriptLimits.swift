/// What a script may use.
public struct ScriptLimits: Sendable {
  /// Bytes that the script's Lua state may hold, while it declares and in its steps.
  public var memory: Int
  /// How long the script may take to declare.
  public var declaringTime: Duration
  /// When all that the script does is stopped, its steps too; nil for never.
  public var end: WallDeadline?

  public init(memory: Int = 256 << 20, declaringTime: Duration = .seconds(10), end: WallDeadline? = nil) {
    self.memory = memory
    self.declaringTime = declaringTime
    self.end = end
  }
}

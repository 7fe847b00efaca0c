import TideScript

/// A script that was read, and what it declares. Any thread may use it, and any number of runs at once.
public struct Workflow: Sendable {
  let script: Script
  /// Where its `file` nodes read.
  let files: any FileSource

  /// Reads a script from a file, and those that it requires from the file's folder.
  ///
  /// - Parameters:
  ///   - executor: the one of the engine that is to run it: its steps run there.
  ///   - print: takes the lines that the script prints while it declares; they go to stderr if nothing else is said.
  /// - Throws: all that is wrong with it.
  ///   - transport: is told to prepare, before the script declares, if it seems to send requests.
  public init(
    path: String, executor: any Executor, preparing transport: (any Transport)? = nil,
    print: @escaping @Sendable (String) -> Void = printError
  ) throws(Diagnostics) {
    let source: ScriptSource
    do throws(Diagnostic) {
      source = try ScriptSource(path: path)
    } catch {
      throw Diagnostics([error], sources: Sources())
    }
    if source.text.utf8.firstRange(of: ".request".utf8) != nil { transport?.prepare() }
    script = try Script.load(source, executor: executor, output: print)
    files = FolderFiles(folder: source.folder ?? ".")
  }

  /// Takes a script that is a text already.
  ///
  /// - Parameters:
  ///   - name: as messages call it.
  ///   - folder: where `require` and `tide.file` look for its other files; nil if there are none.
  public init(
    source: String, name: String = "script.lua", folder: String? = nil, executor: any Executor,
    print: @escaping @Sendable (String) -> Void = printError
  ) throws(Diagnostics) {
    script = try Script.load(name: name, text: source, folder: folder, executor: executor, output: print)
    files = folder.map { FolderFiles(folder: $0) } ?? NoFiles()
  }

  /// What the script declares.
  public var plan: Plan { script.plan }

  /// What is suspicious in the script, and no error.
  public var warnings: [Diagnostic] { script.warnings }
}

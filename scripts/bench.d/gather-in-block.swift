// Gather with URLSession and a semaphore that each block waits on, so that the group is not left too early.
//
// It stalls for a second on two cores. On Linux, Dispatch starts as many blocks as there are cores, here both of these,
// and both of its threads then sit in `semaphore.wait()`. URLSession does its own work on Dispatch too: no thread is
// left to send the requests, so nothing can signal. Dispatch looks once a second whether its threads are blocked, and
// adds one: only then do the requests begin. With more blocks, or with more of such jobs, it takes seconds more, and
// with 255 waiting blocks it never ends.
import Dispatch
import Foundation
import FoundationNetworking

@main struct GatherInBlock {
  static func main() {
    let gather = Gather()
    let lists = Lists()
    let group = DispatchGroup()
    let queue = DispatchQueue.global()
    queue.async(group: group) {
      let semaphore = DispatchSemaphore(value: 0)
      gather.session.dataTask(with: gather.detail) { data, _, _ in
        let relation = gather.relation(data)
        lists.update { $0.detail = relation }
        semaphore.signal()
      }.resume()
      semaphore.wait()
    }
    queue.async(group: group) {
      let semaphore = DispatchSemaphore(value: 0)
      gather.session.dataTask(with: gather.reward) { data, _, _ in
        let relation = gather.relation(data)
        lists.update { $0.reward = relation }
        semaphore.signal()
      }.resume()
      semaphore.wait()
    }
    group.notify(queue: .main) {
      gather.printPage(lists.all.detail, lists.all.reward)
      exit(0)
    }
    dispatchMain()
  }
}

// Gather with URLSession and one semaphore that `notify` waits on, once for each request. The group itself is left when
// the calls that send have returned. It holds one thread a job; with as many jobs as there are threads nobody is left to
// signal.
import Dispatch
import Foundation
import FoundationNetworking

@main struct GatherInNotify {
  static func main() {
    let gather = Gather()
    let lists = Lists()
    let group = DispatchGroup()
    let queue = DispatchQueue.global()
    let semaphore = DispatchSemaphore(value: 0)
    queue.async(group: group) {
      gather.session.dataTask(with: gather.detail) { data, _, _ in
        let relation = gather.relation(data)
        lists.update { $0.detail = relation }
        semaphore.signal()
      }.resume()
    }
    queue.async(group: group) {
      gather.session.dataTask(with: gather.reward) { data, _, _ in
        let relation = gather.relation(data)
        lists.update { $0.reward = relation }
        semaphore.signal()
      }.resume()
    }
    group.notify(queue: queue) {
      semaphore.wait()
      semaphore.wait()
      DispatchQueue.main.async {
        gather.printPage(lists.all.detail, lists.all.reward)
        exit(0)
      }
    }
    dispatchMain()
  }
}

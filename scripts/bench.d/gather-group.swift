// Gather with URLSession and a group that is entered before each request and left in its callback: the usual correct
// way.
import Dispatch
import Foundation
import FoundationNetworking

@main struct GatherGroup {
  static func main() {
    let gather = Gather()
    let lists = Lists()
    let group = DispatchGroup()
    group.enter()
    gather.session.dataTask(with: gather.detail) { data, _, _ in
      let relation = gather.relation(data)
      lists.update { $0.detail = relation }
      group.leave()
    }.resume()
    group.enter()
    gather.session.dataTask(with: gather.reward) { data, _, _ in
      let relation = gather.relation(data)
      lists.update { $0.reward = relation }
      group.leave()
    }.resume()
    group.notify(queue: .main) {
      gather.printPage(lists.all.detail, lists.all.reward)
      exit(0)
    }
    dispatchMain()
  }
}

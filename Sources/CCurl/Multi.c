#include "Library.h"

CURLM *ccurl_multi_new(long connections) {
  CURLM *multi = ccurl.multi_init();
  if (multi) ccurl.multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
  return multi;
}

void ccurl_multi_free(CURLM *multi) { ccurl.multi_cleanup(multi); }

CURLMcode ccurl_multi_perform(CURLM *multi) {
  int running = 0;
  return ccurl.multi_perform(multi, &running);
}

CURLMcode ccurl_multi_wait(CURLM *multi, int milliseconds) {
  return ccurl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}

void ccurl_multi_wake(CURLM *multi) { ccurl.multi_wakeup(multi); }

ccurl_transfer *ccurl_multi_finished(CURLM *multi) {
  int left = 0;
  CURLMsg *message;
  while ((message = ccurl.multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    // The message dies with the removal.
    CURL *easy = message->easy_handle;
    CURLcode code = message->data.result;
    ccurl_transfer *transfer = NULL;
    ccurl.easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&transfer);
    ccurl.multi_remove_handle(multi, easy);
    transfer->code = code;
    return transfer;
  }
  return NULL;
}

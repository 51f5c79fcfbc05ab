"""A plugin of changedetection.io: notes in each watch how many of its checks failed, as they happen.

The note is ``crawl_optimizer_failed`` of the watch: ``failed`` checks, the last of which was ``at`` this ``check_count``
and time. It goes over the API to the sidecar, which then needs no looks of its own.
"""

import pluggy

NOTE = "crawl_optimizer_failed"

hookimpl = pluggy.HookimplMarker("changedetectionio")


@hookimpl
def update_finalize(watch, datastore, processing_exception):
    # check_count does not include aborted checks
    if watch is None or processing_exception is not None:
        return
    at, note = [watch.get("check_count") or 0, watch.get("last_checked")], watch.get(NOTE)
    if note is not None and at == note["at"]:
        return
    # check_count restarts when the history is cleared
    begun = note is not None and at[0] > note["at"][0]
    failed = (note["failed"] if begun else 0) + bool(watch.get("last_error"))
    if not begun or watch.get("last_error"):
        datastore.update_watch(watch["uuid"], {NOTE: {"failed": failed, "at": at}})

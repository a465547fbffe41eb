package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// OutliveLog lets a server continue when nobody reads its standard output and error any longer, for
// example after the end of a logger or a restart of the journal. By default, the next line would
// end it, and systemd takes that for a normal end. Programs that it starts get the signal as usual.
func OutliveLog() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

package fleet

import (
	"context"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
	"github.com/lobbywire/lobbywire/examples/internal/browser"
)

// EntryOf returns a row for an answer to a query.
func EntryOf(got output.Answer) browser.Entry {
	return browser.Entry{
		Protocol: got.Protocol, Form: got.Form, Address: got.Query.String(), View: got.View, RTT: got.RTT,
		Err: brief(got.Err),
	}
}

// Fetch queries the servers of a fleet. A name with several addresses is shown by the
// address that answered last, even if it stops answering.
func (f *Fleet) Fetch(ctx context.Context, found func(browser.Entry)) []error {
	f.askEach(ctx, func(i int, finding verdict.Finding) {
		s, got := f.Servers[i], finding.Answer
		switch {
		case got.Err == nil:
			s.last = got
		case s.last.Query.IsValid():
			got.Query = s.last.Query
		case !got.Query.IsValid(): // the name has no address
			found(browser.Entry{Protocol: got.Protocol, Form: got.Form, ID: s.name, Err: brief(got.Err)})
			return
		}
		found(EntryOf(got))
	})
	return nil
}

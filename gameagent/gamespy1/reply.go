package gamespy1

import (
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// decodeReplyRest reads the pairs of a server's reply after the first one. It sets queryID
// to the first query ID and returns the other pairs. The end mark, which is not required,
// may precede the query ID.
func decodeReplyRest(r *wire.Reader, queryID *string) (extra []Pair) {
	for r.Len() > 0 {
		r.In("", -1)
		switch key := r.TextBefore(slash, "key"); {
		case r.Failed():
		case key == finalKey:
			decodeFinal(r, nil)
		case key == queryIDKey && *queryID == "":
			*queryID = decodeQueryID(r)
		default:
			decodeExtra(r, &extra, key)
		}
	}
	r.In("", -1)
	return extra
}

// appendReplyRest appends the query ID, the other pairs and the end mark.
func appendReplyRest(w *wire.Writer, queryID string, extra []Pair) {
	pairs.RefuseIn(w, slash, queryID, "queryId")
	w.Text(ending(queryID))
	pairs.AppendExtra(w, slash, extra, func(p Pair) bool {
		return p.Key == finalKey || p.Key == queryIDKey && queryID == ""
	})
	w.Text(endMark)
}

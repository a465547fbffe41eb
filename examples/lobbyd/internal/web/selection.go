package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"sync"
	"sync/atomic"
)

// maxZipped limits the memory for compressed selections that clients have not received
// yet, however slow they are. Beyond it, selections are not compressed, because
// uncompressed ones share the bytes of the whole list.
const maxZipped = 32 << 20

// minZipped is the size of the smallest selection that is compressed: one packet.
const minZipped = 1400

// bytesOfSlot is the size of a list whose compression takes another slot.
const bytesOfSlot = 1 << 20

// zips counts the bytes of compressed selections, and keeps their compressors.
type zips struct {
	size    atomic.Int64
	writers sync.Pool
}

// compress returns content as gzip, or nil if that needs too much memory. The caller
// must release the result.
func (z *zips) compress(content body) []byte {
	if content.Len() < minZipped || z.size.Load() > maxZipped {
		return nil
	}
	var b bytes.Buffer
	w, ok := z.writers.Get().(*gzip.Writer)
	if ok {
		w.Reset(&b)
	} else {
		w, _ = gzip.NewWriterLevel(&b, gzip.BestSpeed) // the level is constant
	}
	content.WriteTo(w) // a Buffer accepts everything
	w.Close()
	z.writers.Put(w)
	if z.size.Add(int64(b.Cap())) > maxZipped {
		z.size.Add(-int64(b.Cap()))
		return nil
	}
	return b.Bytes()
}

func (z *zips) release(zipped []byte) { z.size.Add(-int64(cap(zipped))) }

// serveSelection sends some rows of a list with a tag, compressed if the client accepts that.
func (s *Server) serveSelection(w http.ResponseWriter, r *http.Request, from *selection, tag string,
	choose func(*row) bool) {
	for _, theirs := range []string{tag, tag + zippedTag} {
		if has(r, theirs) {
			answerAs(w, r, jsonType, theirs, nil)
			return
		}
	}
	cost, zipping := 1+len(from.rows)/rowsOfSlot, takesGzip(r)
	if !s.Limiter.Spend(w, r, cost) {
		return
	}
	slots := cost
	if zipping {
		slots += from.Len() / bytesOfSlot
	}
	var content body
	var zipped []byte
	if !s.Limiter.Work(w, r, slots, func() {
		content = from.with(choose)
		if zipping {
			zipped = s.zips.compress(content)
		}
	}) {
		return
	}
	defer s.zips.release(zipped)
	if units := content.Len() / bytesOfUnit; units > 0 && !s.Limiter.Spend(w, r, units) {
		return
	}
	if zipped != nil {
		w.Header().Set("Content-Encoding", "gzip")
		tag, content = tag+zippedTag, bytes.NewReader(zipped)
	}
	answerAs(w, r, jsonType, tag, content)
}

package traffictest

import (
	"bufio"
	"net"
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// GameSpyMaster runs a master whose lists have the start of a list and the servers that rows
// adds, for clients with the key "secret". It returns its address. rows is called for each
// request; add sends servers at once, and returns an error when the client has gone. A list ends
// when rows returns.
func GameSpyMaster(t testing.TB, start sb2.List, rows func(add func(...*sb2.Server) error)) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_ = sendList(c, start, rows) // to a client that may leave early
			}()
		}
	}()
	return l.Addr().String()
}

func sendList(c net.Conn, start sb2.List, rows func(add func(...*sb2.Server) error)) error {
	in := bufio.NewScanner(c)
	in.Split(sb2.SplitFrames)
	if !in.Scan() {
		return in.Err()
	}
	request, err := sb2.ParseListRequest(in.Bytes())
	if err != nil {
		return err
	}
	head := sb2.Head{Challenge: []byte("challenge of the master")}
	cipher, err := sb2.NewCipher("secret", request.Challenge, head.Challenge)
	if err != nil {
		return err
	}
	b, err := head.AppendBinary(nil)
	if err != nil {
		return err
	}
	if _, err := c.Write(b); err != nil {
		return err
	}
	send := func(b []byte, err error) error {
		if err == nil {
			cipher.Encrypt(b, b)
			_, err = c.Write(b)
		}
		return err
	}
	list := sb2.NewListAppender(start.Keys, start.Popular)
	if err := send(list.AppendStart(nil, start)); err != nil {
		return err
	}
	rows(func(all ...*sb2.Server) (err error) {
		var b []byte
		for _, s := range all {
			b, err = list.AppendServer(b, s)
			if err != nil {
				return err
			}
		}
		return send(b, nil)
	})
	return send(list.AppendEnd(nil), nil)
}

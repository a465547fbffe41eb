package main

import (
	"bytes"
	"fmt"
	"net"
	"time"
)

// converse sends each request of a game once and learns the challenges for later
// requests. It returns the datagrams of the answers by the length of the request.
func converse(conn net.Conn, g *game, requests [][]byte) (map[int][][]byte, error) {
	answers := make(map[int][][]byte)
	buf := make([]byte, 1<<16)
	for i, request := range requests {
		if err := conn.SetDeadline(time.Now().Add(10 * patience)); err != nil {
			return nil, err
		}
		if _, err := conn.Write(request); err != nil {
			return nil, err
		}
		for range g.answers[i] {
			n, err := conn.Read(buf)
			if err != nil {
				return nil, fmt.Errorf("request of %d bytes: %w", len(request), err)
			}
			answers[len(request)] = append(answers[len(request)], bytes.Clone(buf[:n]))
			g.learnFrom(buf[:n], requests)
		}
	}
	return answers, nil
}

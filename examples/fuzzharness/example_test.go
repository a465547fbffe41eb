package fuzzharness_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"

	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/fuzzharness/vectors"
	"github.com/lobbywire/lobbywire/sqp"
)

// A test of your own server sends it all golden requests, with the token that it has given, and
// judges the answers.
func ExampleJudgeSQP() {
	server := &fuzzharness.SQPServer{Key: []byte("secret")} // yours
	server.Set(fuzzharness.SQPGame{Name: "Duel", MaxPlayers: 8})
	from := netip.MustParseAddrPort("192.0.2.1:5000")

	challenge, err := sqp.ParseChallengeResponse(server.Respond(from, make([]byte, sqp.RequestSize)))
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := vectors.Of("sqp", "client to server")
	if err != nil {
		fmt.Println(err)
		return
	}
	answered := 0
	for _, v := range all {
		request := bytes.Clone(v.Bytes)
		if v.Message == "QueryRequest" {
			binary.BigEndian.PutUint32(request[1:], challenge.Token)
		}
		var answers [][]byte
		if b := server.Respond(from, request); b != nil {
			answers = append(answers, b)
			answered++
		}
		if err := fuzzharness.JudgeSQP(request, answers, challenge.Token); err != nil {
			fmt.Println(v.Name, err)
		}
	}
	fmt.Println(answered > 0, "and all as they must be")
	// Output: true and all as they must be
}

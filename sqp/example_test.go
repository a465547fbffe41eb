package sqp_test

import (
	"errors"
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// A client reads an answer to a query for ServerInfo.
func ExampleParseQueryResponse() {
	answer := []byte("\x01\xc0\x7a\x6c\x3d\x00\x01\x00\x00\x00\x1d" +
		"\x00\x00\x00\x19" +
		"\x00\x03\x00\x10\x04Duel\x03ctf\x021a\x06Harbor\x1e\x61")
	m, err := sqp.ParseQueryResponse(answer, sqp.ChunkServerInfo)
	if err != nil {
		fmt.Println(err)
		return
	}
	i := m.ServerInfo
	fmt.Printf("%q on %q: %d of %d players, port %d\n",
		i.ServerName, i.Map, i.CurrentPlayers, i.MaxPlayers, i.Port)
	// Output: "Duel" on "Harbor": 3 of 16 players, port 7777
}

// A server answers requests in its own loop. A real server binds its tokens to
// the client's address. It does not answer answers of other servers, which have the form of
// challenge requests, nor queries for chunks that it does not have, because chunks have no tags.
func ExampleParseRequest() {
	const token = 0x31be18
	respond := func(request, buf []byte) ([]byte, error) {
		req, err := sqp.ParseRequest(request)
		if err != nil {
			return nil, err
		}
		switch {
		case req.Type == sqp.TypeChallenge && req.Challenge.Token == 0:
			return sqp.ChallengeResponse{Token: token}.AppendBinary(buf)
		case req.Type == sqp.TypeQuery && req.Query.Token == token && req.Query.Chunks == sqp.ChunkServerInfo:
			return sqp.QueryResponse{
				Token: token, Version: req.Query.Version,
				ServerInfo: &sqp.ServerInfo{MaxPlayers: 8, ServerName: "Duel"},
			}.AppendBinary(buf)
		}
		return nil, nil
	}
	for _, request := range []string{
		"\x00\x00\x00\x00\x00",
		"\x01\x00\x31\xbe\x18\x00\x01\x01",
		"\x00\x00\x31\xbe\x18", // an answer
	} {
		answer, err := respond([]byte(request), nil)
		fmt.Printf("%x %v\n", answer, err)
	}
	// Output:
	// 000031be18 <nil>
	// 010031be180001000000120000000e00000008044475656c0000000000 <nil>
	//  <nil>
}

// Encoding refuses what the wire cannot carry. Clip shortens explicitly.
func ExampleQueryResponse_AppendBinary() {
	long := ""
	for range 100 {
		long += "Größe"
	}
	m := sqp.QueryResponse{Version: sqp.Version, ServerInfo: &sqp.ServerInfo{ServerName: long}}
	_, err := m.AppendBinary(nil)
	fmt.Println(err, errors.Is(err, lobbywire.ErrTooLarge))

	m.ServerInfo.ServerName = sqp.Clip(long)
	b, err := m.AppendBinary(nil)
	fmt.Println(len(b), err)
	// Output:
	// sqp: serverInfo.serverName: limit exceeded: 700, at most 255 true
	// 279 <nil>
}

// Players and teams are tables whose columns the server chooses.
func ExampleTable() {
	players := &sqp.Table{
		Columns: []string{"name", "score"},
		Types:   []sqp.ValueType{sqp.ValueString, sqp.ValueUint32},
		Rows: [][]sqp.Value{
			{sqp.String("Ada"), sqp.Uint32(7)},
			{sqp.String("Grace"), sqp.Uint32(9)},
		},
	}
	b, err := sqp.QueryResponse{Version: sqp.Version, PlayerInfo: players}.AppendBinary(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := sqp.ParseQueryResponse(b, sqp.ChunkPlayerInfo)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, row := range m.PlayerInfo.Rows {
		fmt.Println(row[0].Text(), row[1].Uint())
	}
	// Output:
	// Ada 7
	// Grace 9
}

// Packets of a split answer may come in any order.
func ExampleAssembler() {
	first := []byte("\x01\x00\x00\x00\x07\x00\x01\x00\x01\x00\x08" + "\x00\x00\x00\x0e\x00\x01\x00\x04")
	second := []byte("\x01\x00\x00\x00\x07\x00\x01\x01\x01\x00\x0a" + "\x04Duel\x00\x00\x00\x1e\x61")
	var a sqp.Assembler
	for _, b := range [][]byte{second, first} {
		done, err := a.Add(b)
		fmt.Println(done, err, a.Missing())
	}
	m, err := a.QueryResponse(sqp.ChunkServerInfo)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.ServerInfo.ServerName)
	// Output:
	// false <nil> [0]
	// true <nil> []
	// Duel
}

// Explain shows what each byte means and where a packet breaks.
func ExampleExplain() {
	request := []byte("\x01\x80\x31\xbe\x18\x00\x01")
	fmt.Print(sqp.Explain[sqp.Request](request).Annotate(request))
	// Output:
	// 01                                              # 0+1 type = 1
	// 80 31 be 18                                     # 1+4 token = 2150743576
	// 00 01                                           # 5+2 version = 1
	// # sqp: chunks at byte 7: truncated
}

// broken returns the field at which a message is broken, "" if it is not.
func broken[M any, P sqp.Explainable[M]](b []byte) string {
	e := sqp.Explain[M, P](b)
	if e.Err == nil {
		return ""
	}
	return e.Fields[len(e.Fields)-1].Name
}

// A generic function takes the messages that Explain takes.
func ExampleExplainable() {
	fmt.Println(broken[sqp.ChallengeRequest]([]byte("\x00\x80\x31")))
	// Output: token
}

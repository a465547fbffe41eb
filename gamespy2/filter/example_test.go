package filter_test

import (
	"fmt"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/filter"
)

// A master lists the servers that match the filter of a client, here that of a
// browser for Battlefield 2.
func ExampleFilter_Match() {
	f, err := filter.ParseFilter([]byte("gamevariant = 'bf2' and numplayers > 0 and numplayers < maxplayers and " +
		"gametype not like '%gpm_coop%'"))
	if err != nil {
		fmt.Println(err)
		return
	}
	servers := []gamespy2.Response{
		{Info: []gamespy2.KeyValue{{Key: "hostname", Value: "Harbour"}, {Key: "gamevariant", Value: "bf2"},
			{Key: "numplayers", Value: "12"}, {Key: "maxplayers", Value: "64"}, {Key: "gametype", Value: "gpm_cq"}}},
		{Info: []gamespy2.KeyValue{{Key: "hostname", Value: "Full"}, {Key: "gamevariant", Value: "bf2"},
			{Key: "numplayers", Value: "16"}, {Key: "maxplayers", Value: "16"}, {Key: "gametype", Value: "gpm_cq"}}},
	}
	for _, s := range servers {
		if f.Match(s.Lookup) {
			name, _ := s.Lookup("hostname")
			fmt.Println(name)
		}
	}
	// Output:
	// Harbour
}

// The console games put parentheses around everything. String leaves out parentheses that
// change nothing.
func ExampleParseFilter() {
	f, err := filter.ParseFilter([]byte("dwc_mver = 3 and numplayers < 3 and (((20=auth)AND((1&mskdif)=mskdif)))"))
	fmt.Println(f, err)
	_, err = filter.ParseFilter([]byte("numplayers > 5 and ) or password = 0"))
	fmt.Println(err)
	// Output:
	// dwc_mver = 3 and numplayers < 3 and (20 = auth and (1 & mskdif) = mskdif) <nil>
	// filter: operand at byte 19: invalid value: missing
}

// A program builds the filter for a search from what the player typed. Quotes are
// doubled, so the text cannot add conditions.
func ExampleFilter_AppendBinary() {
	typed := "flyin' high"
	f := filter.Filter{Op: filter.OpAnd, Args: []filter.Filter{
		{Op: "like", Args: []filter.Filter{
			{Op: filter.OpName, Text: "hostname"},
			{Op: filter.OpText, Text: "%" + typed + "%"},
		}},
		{Op: "=", Args: []filter.Filter{
			{Op: filter.OpName, Text: "password"},
			{Op: filter.OpNumber, Text: "0"},
		}},
	}}
	b, err := f.AppendBinary(nil)
	fmt.Printf("%s %v\n", b, err)
	// Output:
	// hostname like '%flyin'' high%' and password = 0 <nil>
}

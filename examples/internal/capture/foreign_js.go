package capture

import "fmt"

// foreign reads no other link types: in a page for browsers, gopacket would be larger than
// everything else together.
func foreign(rec record) ([]byte, string) { return nil, fmt.Sprintf("link type %d", rec.link) }

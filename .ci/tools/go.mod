module github.com/lobbywire/lobbywire/tools

go 1.26.0

tool (
	github.com/letsencrypt/pebble/v2/cmd/pebble
	golang.org/x/exp/cmd/gorelease
	honnef.co/go/tools/cmd/staticcheck
)

require (
	github.com/CycloneDX/cyclonedx-go v0.12.0
	github.com/Unity-Technologies/unity-gaming-services-go-sdk v0.5.4
	github.com/dreamscached/minequery/v2 v2.5.0
	github.com/mcstatus-io/mcutil/v4 v4.0.1
	github.com/millkhan/mcstatusgo/v2 v2.2.0
	github.com/multiplay/go-svrquery v1.7.2
	github.com/xrjr/mcutils v1.5.1
	golang.org/x/mod v0.42.0
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/go-jose/go-jose/v4 v4.1.4 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/letsencrypt/challtestsrv v1.4.2 // indirect
	github.com/letsencrypt/pebble/v2 v2.10.1 // indirect
	github.com/miekg/dns v1.1.62 // indirect
	github.com/patrickmn/go-cache v2.1.0+incompatible // indirect
	golang.org/x/exp v0.0.0-20261014143641-f0251eb4aa3e // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/net v0.61.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	golang.org/x/tools v0.52.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)

// Package programtest helps tests of programs: it finds unused ports, and checks JSON against its
// schema and dashboards for Grafana against the metrics of a program.
package programtest

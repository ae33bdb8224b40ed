// render.go: what `helm template` does, as far as config/helm needs it, for machines without Helm: Go's own templates with
// the functions of sprig, which Helm has, and Helm's include, required, lookup, toYaml and .Files. Prints the manifests.
//
//	go run render.go CHART NAMESPACE VALUES NODES
//
// VALUES: a file with values over those of the chart. NODES: a file with a list of nodes as the cluster's API gives it, for
// lookup; "-" is what Helm has without a cluster.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(path string) map[string]interface{} {
	text, err := os.ReadFile(path)
	check(err)
	value := map[string]interface{}{}
	check(yaml.Unmarshal(text, &value))
	return value
}

// over lays one map over another, map by map, as Helm does with values.
func over(base, top map[string]interface{}) map[string]interface{} {
	for key, value := range top {
		below, isMap := base[key].(map[string]interface{})
		above, alsoMap := value.(map[string]interface{})
		if isMap && alsoMap {
			base[key] = over(below, above)
		} else {
			base[key] = value
		}
	}
	return base
}

type files struct{ chart string }

// Get is .Files.Get of Helm: nothing for a file that is not there.
func (f files) Get(name string) string {
	text, _ := os.ReadFile(filepath.Join(f.chart, name))
	return string(text)
}

func functions(all *template.Template, nodes string) template.FuncMap {
	made := sprig.TxtFuncMap()
	delete(made, "env")
	delete(made, "expandenv")
	made["include"] = func(name string, value interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, value)
		return text.String(), err
	}
	made["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	made["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	made["fromYaml"] = func(text string) (map[string]interface{}, error) {
		value := map[string]interface{}{}
		return value, yaml.Unmarshal([]byte(text), &value)
	}
	made["fromJsonArray"] = func(text string) ([]interface{}, error) {
		var value []interface{}
		return value, json.Unmarshal([]byte(text), &value)
	}
	made["lookup"] = func(version, kind, namespace, name string) (map[string]interface{}, error) {
		if nodes == "-" || version != "v1" || kind != "Node" {
			return map[string]interface{}{}, nil
		}
		return read(nodes), nil
	}
	return made
}

func main() {
	if len(os.Args) != 5 {
		check(fmt.Errorf("expected CHART NAMESPACE VALUES NODES"))
	}
	chart := os.Args[1]
	described := read(filepath.Join(chart, "Chart.yaml"))
	values := map[string]interface{}{
		"Values":  over(read(filepath.Join(chart, "values.yaml")), read(os.Args[3])),
		"Chart":   map[string]interface{}{"Name": described["name"], "AppVersion": described["appVersion"]},
		"Release": map[string]interface{}{"Name": "limpet", "Namespace": os.Args[2]},
		"Files":   files{chart},
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all, os.Args[4]))
	names, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	sort.Strings(names)
	for _, name := range names {
		text, err := os.ReadFile(name)
		check(err)
		_, err = all.New(filepath.Base(name)).Parse(string(text))
		check(err)
	}
	for _, name := range names {
		var text strings.Builder
		check(all.ExecuteTemplate(&text, filepath.Base(name), values))
		if strings.HasSuffix(name, ".yaml") && strings.TrimSpace(text.String()) != "" {
			fmt.Printf("---\n# Source: limpet/templates/%s\n%s\n", filepath.Base(name), text.String())
		}
	}
}

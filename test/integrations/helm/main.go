// Renders a chart as `helm template` does, by Helm's own engine, and prints its objects as JSON, one a line; the same of a
// file of YAML. usage: render <chart> [name=value …] | render <file.yaml>
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/strvals"
	"sigs.k8s.io/yaml"
)

func main() {
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run takes a folder with a chart and --set values, or a file of YAML.
func run(path string, set []string) error {
	if !strings.HasSuffix(path, ".yaml") {
		return render(path, set)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return print(string(text))
}

func render(folder string, set []string) error {
	chart, err := loader.Load(folder)
	if err != nil {
		return err
	}
	given := map[string]interface{}{}
	for _, each := range set {
		if err := strvals.ParseInto(each, given); err != nil {
			return err
		}
	}
	options := chartutil.ReleaseOptions{Name: "crawl-optimizer", Namespace: "default", IsInstall: true}
	values, err := chartutil.ToRenderValues(chart, given, options, chartutil.DefaultCapabilities)
	if err != nil {
		return err
	}
	files, err := engine.Render(chart, values)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		if strings.HasSuffix(name, ".yaml") {
			if err := print(files[name]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

func print(text string) error {
	for _, document := range strings.Split("\n"+text, "\n---") {
		var object map[string]interface{}
		if err := yaml.UnmarshalStrict([]byte(document), &object); err != nil {
			return err
		}
		if object != nil {
			line, err := json.Marshal(object)
			if err != nil {
				return err
			}
			fmt.Println(string(line))
		}
	}
	return nil
}

package doc

import "strings"

// Sheet is the language at a glance: what each page of the reference is about, with its
// first example. The pages say the rest.
func Sheet() string {
	var b strings.Builder
	b.WriteString("# Pluto at a glance\n")
	for _, t := range Topics() {
		b.WriteString("\n## " + t.Title + " (" + t.Name + ")\n\n" + t.Summary + "\n")
		if code := firstExample(t.Text); code != "" {
			b.WriteString("\n" + code)
		}
	}
	return b.String()
}

// firstExample is the first block of code of a page, with its fences.
func firstExample(page string) string {
	const fence = "```"
	from := strings.Index(page, fence)
	if from < 0 {
		return ""
	}
	length := strings.Index(page[from+len(fence):], "\n"+fence)
	if length < 0 {
		return ""
	}
	return page[from:from+len(fence)+length] + "\n" + fence + "\n"
}

package plutoapp

import (
	"context"
	"strings"

	"github.com/settgraph/sett/compiler/diag"
	"github.com/settgraph/sett/compiler/doc"
)

// page is an answer that is Markdown in every form; 000 has no such tools.
func markdown(text string, err error) (*Answer, error) {
	if err != nil {
		return nil, err
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return &Answer{
		lines: func(b *strings.Builder) { b.WriteString(text) },
		doc:   func() any { return raw(text) },
	}, nil
}

func docs(_ context.Context, _ *Call, a *docsArgs) (*Answer, error) {
	return markdown(doc.DocsAnswer(a.Topic, a.Query))
}

func stdlibDocs(_ context.Context, _ *Call, a *stdlibDocsArgs) (*Answer, error) {
	return markdown(doc.StdlibAnswer(a.Module))
}

func explain(_ context.Context, _ *Call, a *explainArgs) (*Answer, error) {
	text, err := doc.ExplainAnswer(a.Code)
	if err != nil {
		return nil, err
	}
	return &Answer{
		lines: func(b *strings.Builder) { b.WriteString(text) },
		doc: func() any {
			r, ok := diag.Explain(diag.Code(strings.ToUpper(strings.TrimSpace(a.Code))))
			if !ok {
				return each(doc.RulesWith(strings.TrimSpace(a.Code)), func(r diag.Rule) any {
					return (&object{}).put("code", string(r.Code)).put("title", r.Title)
				})
			}
			return (&object{}).put("code", string(r.Code)).put("title", r.Title).put("text", r.Text).put("wrong", r.Wrong).put("right", r.Right)
		},
	}, nil
}

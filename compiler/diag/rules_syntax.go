package diag

var syntaxRules = []Rule{}

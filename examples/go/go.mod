module adoption

go 1.19

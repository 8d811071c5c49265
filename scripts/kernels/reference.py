def compare(kernel, observed):
    return "-"

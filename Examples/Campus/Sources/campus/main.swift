print("campus")

"""Published groups of people and values: how much of the worlds' weight gives a person a value."""

"""Settings: their declarations, the layers that set them (files, environment, command line), and where a value comes from. Nothing below the faces reads them."""
